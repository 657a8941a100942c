// The commands over traces, as the package has them.
import type { Commands } from './run.ts'

export const TRACE_COMMANDS: Commands = {
  replay: {
    about: 'replay recorded traces and tell whether they come out the same',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
  check: {
    about: 'hold traces against invariants and assertions',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  diff: {
    about: 'tell where two traces part',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  minimise: {
    about: 'find the fewest stimuli with which a trace still fails',
    load: async () => (await import('./minimise.ts')).minimiseCommand,
  },
  coverage: {
    about: 'tell which states, transitions and guards traces reach',
    load: async () => (await import('./coverage.ts')).coverageCommand,
  },
  test: {
    about: 'write a trace as a test for Vitest',
    load: async () => (await import('./test.ts')).testCommand,
  },
  info: {
    about: 'tell what a trace holds',
    load: async () => (await import('./info.ts')).infoCommand,
  },
  redact: {
    about: 'take further secrets out of a trace',
    load: async () => (await import('./redact.ts')).redactCommand,
  },
  export: {
    about: 'write a trace as Perfetto, HAR, Mermaid or SCXML',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  serve: {
    about: 'show the console as a page that apps with XState can tell of themselves',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  import: { movedTo: 'chartroom backend import' },
}
