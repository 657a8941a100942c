// The failure count in the toolbar, and the check commands.
import { OctagonX } from 'lucide-react'
import { Button } from 'react-aria-components'
import { useCommands } from '../commands/use-commands.ts'
import { count, plural } from '../text.ts'
import { useConsole } from '../use-console.ts'
import { failedOf } from './findings.ts'
import { judgeCommands } from './judge-commands.ts'
import { useJudge } from './judge-context.ts'
import styles from './judge.module.css'
import { useVerdicts } from './verdicts.ts'

/** Renders nothing while all checks pass. */
export function JudgeMark() {
  const { go, pick, selection } = useConsole()
  const { standing, desk } = useJudge()
  const { findings } = useVerdicts()
  const show = (centre: string) => go({ type: 'layout', layout: { centre } })
  const verify = () => desk.of('verify').start(file => ({ file }))
  useCommands(judgeCommands({ findings, at: selection.at, pick, show, verify }))
  const failed = failedOf(standing.results)
  if (failed === 0) return null
  return (
    <Button
      className={styles.mark ?? ''}
      aria-label={`${plural(failed, 'failure')}: show checks`}
      onPress={() => show('judge')}
    >
      <OctagonX size={13} aria-hidden />
      {count(failed)}
    </Button>
  )
}
