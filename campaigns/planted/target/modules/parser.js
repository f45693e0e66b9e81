/** Turns text into a tree of nodes. */
export const strategy = 3;
