import type { Circle } from './exact.ts';

const SIZE = 640;
const FRAME = 24;

/**
 * A picture of a packing as SVG; the colour of a circle is its size.
 *
 * @param side of the square
 * @param caption plain text without markup
 */
export function draw(circles: readonly Circle[], side: number, caption: string): string {
  const largest = Math.max(...circles.map(({ r }) => r));
  const scale = SIZE / side;
  const place = (value: number): string => (value * scale).toFixed(2);
  const shapes = circles.map(({ x, y, r }, i) => {
    const [cx, cy] = [place(x), place(side - y)];
    const hue = (215 - 190 * (r / largest)).toFixed(0);
    const fontSize = Math.max(6, Math.min(15, r * scale * 0.45)).toFixed(1);
    return `    <circle cx="${cx}" cy="${cy}" r="${place(r)}" fill="hsl(${hue} 68% 62%)"/><text x="${cx}" y="${cy}" font-size="${fontSize}">${i}</text>`;
  });
  const width = SIZE + 2 * FRAME;
  const height = width + FRAME;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">
  <rect width="${width}" height="${height}" fill="#fbfaf7"/>
  <g transform="translate(${FRAME} ${FRAME})" stroke="#26323d" stroke-width="1.2">
    <rect width="${SIZE}" height="${SIZE}" fill="#eceae3"/>
    <g text-anchor="middle" dominant-baseline="central" paint-order="fill">
      <style>text { stroke: none; fill: #1b2530; }</style>
${shapes.join('\n')}
    </g>
  </g>
  <text x="${width / 2}" y="${height - FRAME * 0.7}" text-anchor="middle" font-size="16">${caption}</text>
</svg>
`;
}
