/** Keeps what was computed for the next request. */
export const strategy = 3;
