import type { OpenaiConfig } from '../../config/index.ts';
import { renderBrief } from '../brief/brief.ts';
import type { Task } from '../task.ts';
import type { Desk } from './desk.ts';
import { INSTRUCTIONS } from './format/answer.ts';

/** What a coder is told first. */
const SYSTEM = `You improve a software repository. You are given a brief: the goal, the rules, and what was tried before. Make one
coherent change that serves the goal, and keep it as small as it can be. Your change is built, tested and measured afterwards; what does
not build or fails a test counts for nothing. Do not touch files outside the given scope. Do not ask questions: nobody answers.`;

const BY_TOOLS = `Work with the tools. Look before you change. When the change is complete call finish.`;

/** What a planner is told. */
const PLANNER = `You decide how a software repository is to be improved; somebody else writes the code. You are given a brief: the goal, the
rules, and what was tried before. Nothing that you change is kept. Do not ask questions: nobody answers.`;
const PLAN_BY_TOOLS = `Look with the tools, build and measure if it helps. When you know what to do, call finish with the plan as its summary.`;
const PLAN_IN_ONE = `Answer with the plan and nothing else.`;

/** Characters of files that a model without tools is shown. */
const SHOWN_CHARACTERS = 150_000;

/** Who the model is and how it is to work. */
export function instructions(format: OpenaiConfig['format'], role: Task['role']): string {
  if (role === 'planner') return `${PLANNER}\n\n${format === 'tools' ? PLAN_BY_TOOLS : PLAN_IN_ONE}`;
  return `${SYSTEM}\n\n${format === 'tools' ? BY_TOOLS : INSTRUCTIONS[format]}`;
}

/** The brief; for a model without tools with the files that it may change, as many as there is room for. */
export async function opening(format: OpenaiConfig['format'], desk: Desk): Promise<string> {
  const brief = renderBrief(desk.task.brief);
  if (format === 'tools') return brief;
  const shown: string[] = [];
  let room = SHOWN_CHARACTERS;
  for (const path of (await desk.task.files()).filter(desk.task.editable)) {
    // What is binary or large is not shown, and cannot be edited in this way.
    const text = await desk.find(path).catch(() => null);
    if (text === null || text.length > room) continue;
    room -= text.length;
    shown.push(`### ${path}\n\n\`\`\`\`\n${text}\`\`\`\``);
  }
  return `${brief}\n# The files that may be changed\n\n${shown.join('\n\n')}\n`;
}
