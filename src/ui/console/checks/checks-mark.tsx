// The failure count in the toolbar, and the check commands.
import { OctagonX } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useCommands, type ConsoleCommand } from '../commands/use-commands.ts'
import { count, plural } from '../text.ts'
import { useChecks, useConsole } from '../use-console.ts'
import { failedOf, type Finding } from './findings.ts'
import styles from './checks.module.css'

/** Renders nothing while all checks pass. */
export function ChecksMark() {
  const { go, pick, selection, checks } = useConsole()
  const failed = useChecks(all => failedOf(all.standing.results))
  const findings = useChecks(all => all.findings)
  const show = (center: string) => go({ type: 'layout', layout: { center } })
  const verify = () => checks.runner.of('verify').start(file => ({ file }))
  useCommands(checksCommands({ findings, at: selection.at, pick, show, verify }))
  if (failed === 0) return null
  return (
    <Button
      className={styles.mark ?? ''}
      aria-label={`${plural(failed, 'failure')}: show checks`}
      onPress={() => show('checks')}
    >
      <OctagonX size={13} aria-hidden />
      {count(failed)}
    </Button>
  )
}

interface ChecksActions {
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

function checksCommands({ findings, at, pick, show, verify }: ChecksActions): readonly ConsoleCommand[] {
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
      words: 'create vitest copy export perfetto har otlp opentelemetry mermaid scxml',
      run: () => show('export'),
    },
  ]
}
