import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { MachineFault } from './refusal.ts';

/**
 * What a campaign asks of a ready evaluator: the JSON after `--options`, or the file after `--options-file`, whose relative path
 * starts at the campaign's folder and never at the candidate's. Without either it is an empty object.
 *
 * @throws MachineFault when it is not there or not JSON: that is never the candidate's fault
 */
export function options(argv: readonly string[] = process.argv.slice(2), env = process.env): unknown {
  const [flag, value, ...rest] = argv.flatMap(
    (word) => /^(--options(?:-file)?)=([\s\S]*)$/.exec(word)?.slice(1) ?? [word],
  );
  if (flag === undefined) return {};
  if (value === undefined || rest.length > 0 || (flag !== '--options' && flag !== '--options-file')) {
    throw new MachineFault('an evaluator takes --options JSON or --options-file FILE, and nothing else');
  }
  if (flag === '--options') return parse(value, 'the text after --options');
  const path = isAbsolute(value) ? value : join(env.CLADE_CAMPAIGN_DIR || process.cwd(), value);
  try {
    return parse(readFileSync(path, 'utf8'), path);
  } catch (cause) {
    if (cause instanceof MachineFault) throw cause;
    throw new MachineFault(`the options file ${path} cannot be read`, { cause });
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MachineFault(`${what} is not JSON`, { cause });
  }
}
