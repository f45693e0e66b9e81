/** Packs numbers into few bits, and unpacks them. */
export const strategy = 3;
