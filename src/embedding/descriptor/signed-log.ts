/** sign(x) · ln(1 + |x|): amounts of any size on one scale, 0 where nothing changed. */
export function signedLog(x: number): number {
  return Math.sign(x) * Math.log1p(Math.abs(x));
}
