// The trace commands, as included in the package.
import type { Commands } from './run.ts'

export const TRACE_COMMANDS: Commands = {
  replay: {
    about: 'replay recorded traces and compare every step',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
  check: {
    about: 'check traces against invariants and assertions',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  diff: {
    about: 'show where two traces diverge',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  minimize: {
    about: 'find the fewest stimuli with which a trace still fails',
    load: async () => (await import('./minimize.ts')).minimizeCommand,
  },
  coverage: {
    about: 'report which states, transitions and guards traces reach',
    load: async () => (await import('./coverage.ts')).coverageCommand,
  },
  test: {
    about: 'write a trace as a Vitest test',
    load: async () => (await import('./test.ts')).testCommand,
  },
  info: {
    about: 'summarize a trace',
    load: async () => (await import('./info.ts')).infoCommand,
  },
  redact: {
    about: 'remove additional secrets from a trace',
    load: async () => (await import('./redact.ts')).redactCommand,
  },
  export: {
    about: 'convert a trace to Perfetto, HAR, Mermaid or SCXML',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  serve: {
    about: 'serve the console for live XState apps',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  import: { movedTo: 'chartroom backend import' },
}
