// The Judge tab: what must hold of the shown trace, whether it does, and where it did not.
import { Pencil, Scale } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { count, plural } from '../text.ts'
import { AssertionsEditor } from './assertions-editor.tsx'
import { CheckList } from './check-list.tsx'
import { FailureList } from './failure-list.tsx'
import { failedOf } from './findings.ts'
import { JobFailure, JobLine } from './job-line.tsx'
import { useJudge, type JudgeValue } from './judge-context.ts'
import styles from './judge.module.css'
import { Smallest } from './smallest.tsx'

export function JudgeTab() {
  const judge = useJudge()
  const { standing, ownText, own } = judge
  const [chosen, choose] = useState<string>()
  const [isEditing, edit] = useState(false)
  const { results } = standing
  const known = results.some(({ name }) => name === chosen) ? chosen : undefined
  // What is broken comes first: on a narrow console it would be out of sight.
  const inOrder = useMemo(
    () => results.toSorted((a, b) => Number(b.failed > 0) - Number(a.failed > 0)),
    [results],
  )
  const shown = useMemo(
    () => (known === undefined ? results : results.filter(({ name }) => name === known)),
    [results, known],
  )
  return (
    <div className={styles.pane}>
      <header className={styles.head}>
        <Verdict judge={judge} />
        <span className={styles.tools}>
          <Smallest name={known} results={results} />
          <Button
            size="s"
            variant={own.problems.length > 0 ? 'danger' : 'plain'}
            icon={<Pencil size={13} aria-hidden />}
            onPress={() => edit(!isEditing)}
            aria-expanded={isEditing}
          >
            {ownText.trim() === '' ? 'Add assertions' : 'Assertions'}
          </Button>
        </span>
      </header>
      <Progress judge={judge} />
      {isEditing ? <AssertionsEditor onClose={() => edit(false)} /> : null}
      {results.length === 0 ? (
        <Nothing judge={judge} />
      ) : (
        <div className={styles.split}>
          <CheckList results={inOrder} chosen={known} onChoose={choose} />
          <FailureList results={shown} isAll={known === undefined} />
        </div>
      )}
    </div>
  )
}

function Verdict({ judge: { standing, checking } }: { readonly judge: JudgeValue }) {
  const { results, steps, of } = standing
  const failed = failedOf(results)
  const broken = results.filter(one => one.failed > 0).length
  const looked = `${count(steps)} of ${plural(of, 'event')} looked at`
  if (results.length === 0)
    return <span className={styles.faint}>{checking.phase === 'going' ? '' : 'Nothing was checked'}</span>
  return (
    <span className={styles.verdict}>
      <strong role="status" data-bad={failed > 0 || undefined}>
        {failed === 0
          ? 'All hold so far'
          : `${count(broken)} of ${results.length} broken, ${plural(failed, 'time')}`}
      </strong>
      <span className={styles.faint}>{looked}</span>
    </span>
  )
}

function Progress({ judge: { checking, check, cancel } }: { readonly judge: JudgeValue }) {
  if (checking.phase === 'going')
    return <JobLine doing="Checking" progress={checking.progress} onCancel={cancel} />
  if (checking.phase === 'failed') return <JobFailure message={checking.message} />
  if (checking.phase !== 'asking') return null
  return (
    <p className={styles.ask}>
      <span>{checking.why}</span>
      <Button size="s" variant="primary" onPress={check}>
        Check it
      </Button>
    </p>
  )
}

function Nothing({ judge: { hasInvariants, checking } }: { readonly judge: JudgeValue }) {
  if (checking.phase === 'going') return null
  if (hasInvariants) return null
  return (
    <EmptyState icon={<Scale size={20} aria-hidden />} title="Nothing has been said that must hold">
      The invariants that Chartroom knows are about its own client. Of other systems you say what must hold:
      add assertions, and each event that breaks one is marked red in every view.
    </EmptyState>
  )
}
