/**
 * A whole campaign as files.
 *
 * - `manifest` what an export holds, and whether it still does
 * - `export`   database, hub and pinned evaluator → a folder
 * - `import`   that folder → another workspace or database
 */
export { type ExportRequest, writeExport } from './export.ts';
export { type ImportRequest, readExport } from './import.ts';
export { EXPORT_FORMAT, type Manifest } from './manifest.ts';
