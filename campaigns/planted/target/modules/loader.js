/** Brings the bytes of the input into memory. */
export const strategy = 3;
