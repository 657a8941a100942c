// The failure count in the toolbar, and the check commands.
import { OctagonX } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useCommands } from '../commands/use-commands.ts'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { failedOf } from './findings.ts'
import { checksCommands } from './checks-commands.ts'
import { useChecksContext } from './checks-context.ts'
import styles from './checks.module.css'
import { useVerdicts } from './verdicts.ts'

/** Renders nothing while all checks pass. */
export function ChecksMark() {
  const { go, pick, selection } = useConsole()
  const { standing, runner } = useChecksContext()
  const { findings } = useVerdicts()
  const show = (center: string) => go({ type: 'layout', layout: { center } })
  const verify = () => runner.of('verify').start(file => ({ file }))
  useCommands(checksCommands({ findings, at: selection.at, pick, show, verify }))
  const failed = failedOf(standing.results)
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
