/** 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom. */
const T_975 = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604, 2.1448, 2.1314,
  2.1199, 2.1098, 2.1009, 2.093, 2.086,
];

const Z_975 = 1.959963984540054;

/**
 * The 97.5 % quantile of Student's t: two of it around an estimate are its 95 % interval. Beyond the table by the expansion in
 * powers of 1/degrees (Abramowitz and Stegun 26.7.5), there exact to four digits.
 *
 * @param degrees degrees of freedom, a whole number of 1 or more
 */
export function quantile(degrees: number): number {
  const listed = T_975[degrees - 1];
  if (listed !== undefined) return listed;
  const z = Z_975;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}
