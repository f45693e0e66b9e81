/** Orders the steps so that none waits for another. */
export const strategy = 3;
