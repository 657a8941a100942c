// Commands for checks, for keys and the palette.
import type { ConsoleCommand } from '../commands/command.ts'
import type { Finding } from './verdicts.ts'

export interface ChecksActions {
  readonly findings: readonly Finding[]
  /** The shown moment. */
  readonly at: number
  readonly pick: (seq: number) => void
  /** Shows a tab in the middle. */
  readonly show: (tab: string) => void
  readonly verify: () => void
}

/** Returns the nearest finding after or before the moment. */
export function nextFinding(findings: readonly Finding[], at: number, by: 1 | -1): Finding | undefined {
  return by === 1 ? findings.find(({ seq }) => seq > at) : findings.findLast(({ seq }) => seq < at)
}

export function checksCommands({
  findings,
  at,
  pick,
  show,
  verify,
}: ChecksActions): readonly ConsoleCommand[] {
  const section = 'Checks'
  const to = (by: 1 | -1) => {
    const next = nextFinding(findings, at, by)
    return {
      ...(!next && { disabled: findings.length === 0 ? 'no check failed' : 'no more failed checks' }),
      run: () => next && pick(next.seq),
    }
  }
  return [
    {
      id: 'checks.next',
      title: 'Next failed check',
      section,
      keys: ['X'],
      words: 'failure',
      ...to(1),
    },
    {
      id: 'checks.previous',
      title: 'Previous failed check',
      section,
      keys: ['Shift+X'],
      words: 'failure broke',
      ...to(-1),
    },
    {
      id: 'checks.show',
      title: 'Show checks',
      section,
      words: 'invariants assertions verdicts failures shortest minimize',
      run: () => show('checks'),
    },
    {
      id: 'checks.coverage',
      title: 'Show coverage',
      section,
      words: 'coverage states transitions guards',
      run: () => show('coverage'),
    },
    {
      id: 'checks.verify',
      title: 'Verify by replay',
      section,
      words: 'exact divergence compare run again',
      run: () => {
        show('divergence')
        verify()
      },
    },
    {
      id: 'checks.export',
      title: 'Export as a test, as steps, or for another tool',
      section,
      words: 'create vitest copy export perfetto har mermaid scxml',
      run: () => show('export'),
    },
  ]
}
