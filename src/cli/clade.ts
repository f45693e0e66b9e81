#!/usr/bin/env node
/**
 * The `clade` command. It imports nothing before it has looked at the version, and its text is valid for old versions of
 * Node, so that one of those gets a sentence and not a stack trace.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`clade needs Node 22.18 or newer; this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  // `clade jobs zstd | head` closes the pipe early: what nobody reads is not written, and that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
