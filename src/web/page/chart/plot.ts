import uPlot from 'uplot';
import { number } from '../format.ts';
import { bestSoFar, type History, type Lead } from './best.ts';
import { drawIntervals, drawMarks, type Ink } from './marks.ts';

/** What a plot shows and how it tells where the pointer is. */
export interface Picture {
  readonly history: History;
  readonly leads: readonly Lead[];
}

export interface PlotOptions {
  readonly objective: string;
  readonly width: number;
  readonly height: number;
  /** The place in the settlement order that the pointer is at. */
  onPoint(at: number): void;
}

/** A plot of the best so far as a line, all candidates as points, intervals as bars and failures as marks at the bottom. */
export interface Plot {
  show(picture: Picture): void;
  resize(width: number): void;
  destroy(): void;
}

export function createPlot(element: HTMLElement, options: PlotOptions, first: Picture): Plot {
  const { objective, width, height, onPoint } = options;
  const ink = inkOf(element);
  let picture = first;
  const axis = { stroke: ink.text, grid: { stroke: ink.grid, width: 1 }, ticks: { stroke: ink.grid, width: 1 } };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const plot = new uPlot(
    {
      width,
      height,
      scales: { x: { time: false }, y: { range } },
      axes: [
        { ...axis, label: 'settled jobs', labelSize: 20 },
        { ...axis, label: objective, labelSize: 20, size: 70, values: (_plot, splits) => splits.map(number) },
      ],
      legend: { show: false },
      cursor: { drag: { x: true, y: true, uni: 20 }, points: { show: false } },
      series: [
        {},
        { stroke: ink.candidate, paths: () => null, points: { show: true, size: 5, fill: ink.candidate, width: 0 } },
        { stroke: ink.best, width: 2, points: { show: false }, ...(stepped === undefined ? {} : { paths: stepped }) },
      ],
      hooks: {
        drawAxes: [(self) => drawIntervals(self, picture.history, ink)],
        draw: [(self) => drawMarks(self, picture.history, ink)],
        setCursor: [(self) => typeof self.cursor.idx === 'number' && onPoint(self.cursor.idx)],
      },
    },
    dataOf(first),
    element,
  );
  return {
    show(next) {
      picture = next;
      plot.setData(dataOf(next));
    },
    resize: (wide) => plot.setSize({ width: wide, height }),
    destroy: () => plot.destroy(),
  };
}

function dataOf({ history: { scores }, leads }: Picture): uPlot.AlignedData {
  return [scores.map((_, at) => at), [...scores], bestSoFar(leads, scores.length)];
}

/** Room above and below; more below, where the marks of failures are. */
function range(_plot: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  return [low - 0.12 * span, high + 0.06 * span];
}

function inkOf(element: HTMLElement): Ink {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of('text'),
    grid: of('line'),
    best: of('good'),
    candidate: of('point'),
    bad: of('bad'),
    plain: of('quiet'),
  };
}
