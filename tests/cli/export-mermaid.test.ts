// Diagrams of runs and machines as Mermaid; evidence/tests checks with Mermaid's own parser that they are valid.
import { expect, test } from 'vitest'
import { ExportError, exportTrace } from '../../src/trace/index.ts'
import { oddTrace, stormyTrace } from '../harness/exported-runs.ts'

test('a run from outside inward, with states as notes and responses dashed', async () => {
  expect(exportTrace(await oddTrace(), 'mermaid').split('\n')).toEqual([
    'sequenceDiagram',
    '  participant outside as outside',
    '  participant a0 as odd & #60;machine#62;',
    '  participant a1 as odd & #60;machine#62;/0.odd & #60;machine#62;.first#59; region.a',
    '  participant a2 as odd & #60;machine#62;/0.odd & #60;machine#62;.first#59; region.b#58;b',
    '  participant a3 as odd & #60;machine#62;/0.odd & #60;machine#62;.first#59; region.a#35;2',
    '  Note over outside: 0 s',
    '  outside->>a0: xstate.init',
    '  Note over a0: first#59; region.a · 2nd.x',
    '  a0->>a1: xstate.init',
    '  outside->>a0: more#59; of#58; it',
    '  Note over a0: first#59; region.a · 2nd.y',
    '  a1-->>a1: xstate.promise.resolve',
    '  Note over a1: done',
    '  a1-->>a0: xstate.done.actor.0.odd & #60;machine#62;.first#59; region.a',
    '  Note over a0: first#59; region.b#58;b · 2nd.y',
    '  a0->>a2: xstate.init',
    '  a2-->>a2: xstate.promise.resolve',
    '  Note over a2: done',
    '  a2-->>a0: xstate.done.actor.0.odd & #60;machine#62;.first#59; region.b#58;b',
    '  outside->>a0: back',
    '  Note over a0: first#59; region.a · 2nd.y',
    '  a0->>a3: xstate.init',
    '  outside->>a0: new line #37;#37;',
    '  a0->>a3: xstate.stop',
    '  Note over a3: stopped',
    '  outside->>a0: xstate.stop',
    '  Note over a0: first#59; region.a · 2nd.y, stopped',
    '',
  ])
})

test('truncates long runs with a notice and rejects an empty part', () => {
  const trace = stormyTrace()
  const lines = exportTrace(trace, 'mermaid').split('\n')
  expect(lines.filter(line => line.includes('>>'))).toHaveLength(250)
  expect(lines.at(-2)).toMatch(/Note over outside,a\d+: \d+ more steps from step 250 on/)
  expect(() => exportTrace(trace, 'mermaid', { actors: ['nobody'] })).toThrow(ExportError)
})
