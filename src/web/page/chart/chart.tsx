import { useEffect, useRef, useState } from 'preact/hooks';
import { createPlot, type Picture, type Plot } from './plot.ts';

const HEIGHT = 280;

interface ChartProps {
  readonly objective: string;
  /** What a person who does not see it is told. */
  readonly label: string;
  readonly picture: Picture;
  onPoint(at: number): void;
}

/** The plot, as wide as its place; drawn anew in other colours when the machine changes between light and dark. */
export function Chart({ objective, label, picture, onPoint }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [dark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const changed = (): void => setDark(scheme.matches);
    scheme.addEventListener('change', changed);
    return () => scheme.removeEventListener('change', changed);
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = createPlot(element, { objective, onPoint, width: element.clientWidth, height: HEIGHT }, picture);
    plot.current = made;
    const observer = new ResizeObserver(() => made.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [objective, dark]);
  useEffect(() => plot.current?.show(picture), [picture]);
  return <div ref={place} class="chart" role="img" aria-label={label} />;
}
