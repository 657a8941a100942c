// Commands that go to the marks and choose the comparison.
import type { ConsoleCommand } from '../commands/command.ts'
import type { Comparison, Marks, PlaceAction } from '../model/place.ts'

export interface ComparePlace {
  readonly marks: Marks
  readonly go: (action: PlaceAction) => void
  readonly pick: (seq: number) => void
}

/** Returns commands for the marks and the comparisons of the diff. */
export function compareCommands({ marks: { a, b }, go, pick }: ComparePlace): readonly ConsoleCommand[] {
  const compare = (diff: Comparison) => () => go({ type: 'layout', layout: { inspector: 'diff', diff } })
  const section = 'State'
  const needsA = a === undefined ? { disabled: 'Mark A is not set' } : {}
  const needsB = b === undefined ? { disabled: 'Mark B is not set' } : {}
  const needsBoth = a === undefined ? needsA : needsB
  return [
    { id: 'mark.go.a', title: 'Go to mark A', section, ...needsA, run: () => pick(a ?? -1) },
    { id: 'mark.go.b', title: 'Go to mark B', section, ...needsB, run: () => pick(b ?? -1) },
    {
      id: 'diff.before',
      title: 'Show changes of this step',
      section,
      words: 'diff compare before',
      run: compare('before'),
    },
    {
      id: 'diff.a',
      title: 'Show changes from mark A',
      section,
      words: 'diff compare',
      ...needsA,
      run: compare('a'),
    },
    {
      id: 'diff.ab',
      title: 'Show changes between A and B',
      section,
      words: 'diff compare',
      ...needsBoth,
      run: compare('ab'),
    },
    {
      id: 'diff.all',
      title: 'Show changes between A and B in all actors',
      section,
      words: 'diff compare system',
      ...needsBoth,
      run: compare('all-ab'),
    },
  ]
}
