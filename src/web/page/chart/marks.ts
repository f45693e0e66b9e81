import type uPlot from 'uplot';
import type { History } from './best.ts';

/** CSS colours. */
export interface Ink {
  readonly text: string;
  readonly grid: string;
  readonly best: string;
  readonly candidate: string;
  readonly bad: string;
  readonly plain: string;
}

/** With more candidates in sight than this their bars would be one grey. */
const MOST_INTERVALS = 2_000;
/** CSS pixels. */
const MARK = 7;

/** Upright bars from low to high, where the evaluator gave an interval. */
export function drawIntervals(plot: uPlot, { low, high }: History, ink: Ink): void {
  const [from, to] = inSight(plot, low.length);
  if (to - from > MOST_INTERVALS) return;
  clipped(plot, (context) => {
    context.strokeStyle = ink.grid;
    context.lineWidth = devicePixelRatio;
    context.beginPath();
    for (let at = from; at <= to; at += 1) {
      const [bottom, top] = [low[at], high[at]];
      if (bottom == null || top == null) continue;
      const x = plot.valToPos(at, 'x', true);
      context.moveTo(x, plot.valToPos(bottom, 'y', true));
      context.lineTo(x, plot.valToPos(top, 'y', true));
    }
    context.stroke();
  });
}

/** A mark at the bottom for each job that gave no valid candidate: one colour for what failed or was refused, one for what was nothing new. */
export function drawMarks(plot: uPlot, { outcomes }: History, ink: Ink): void {
  const [from, to] = inSight(plot, outcomes.length);
  const { top, height } = plot.bbox;
  const size = MARK * devicePixelRatio;
  clipped(plot, (context) => {
    let drawn = '';
    for (let at = from; at <= to; at += 1) {
      const outcome = outcomes[at];
      if (outcome === undefined || outcome === 'candidate') continue;
      const bad = outcome === 'failed' || outcome === 'invalid';
      const x = Math.round(plot.valToPos(at, 'x', true));
      // Thousands share a pixel.
      const key = `${x}${bad}`;
      if (key === drawn) continue;
      drawn = key;
      context.fillStyle = bad ? ink.bad : ink.plain;
      context.fillRect(x - devicePixelRatio, top + height - (bad ? size : size / 2), 2 * devicePixelRatio, size);
    }
  });
}

function inSight(plot: uPlot, length: number): [number, number] {
  const { min, max } = plot.scales.x ?? {};
  return [Math.max(0, Math.floor(min ?? 0)), Math.min(length - 1, Math.ceil(max ?? 0))];
}

function clipped(plot: uPlot, draw: (context: CanvasRenderingContext2D) => void): void {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  draw(plot.ctx);
  plot.ctx.restore();
}
