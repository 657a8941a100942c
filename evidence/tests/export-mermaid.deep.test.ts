// @vitest-environment happy-dom
// Checks with Mermaid's own parser that diagrams of runs and machines are valid.
import mermaid from 'mermaid'
import { expect, test } from 'vitest'
import { exportTrace } from '../../src/trace/exports/export-trace.ts'
import { oddTrace, stormyTrace } from '../../tests/harness/exported-runs.ts'

test('diagrams of runs and machines are valid Mermaid', async () => {
  for (const trace of [stormyTrace(), await oddTrace()]) {
    const texts = [
      exportTrace(trace, 'mermaid'),
      exportTrace(trace, 'mermaid', { from: 1, actors: [trace.actors[1]?.path ?? ''] }),
      ...Object.keys(trace.header.machines).map(machine =>
        exportTrace(trace, 'mermaid', { diagram: 'state', machine }),
      ),
    ]
    for (const text of texts) {
      const { diagramType } = await mermaid.parse(text)
      // State diagrams would show character codes literally.
      expect(text.startsWith('state') && /#\d+;/.test(text)).toBe(false)
      expect(diagramType).toBe(text.startsWith('sequence') ? 'sequence' : 'stateDiagram')
    }
  }
  await expect(mermaid.parse('sequenceDiagram\n  a->>')).rejects.toThrow('Parse error on line 2')
})
