/** Sends the answer out, line by line. */
export const strategy = 3;
