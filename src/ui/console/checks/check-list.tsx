// The list of checks with their verdicts; selecting one filters the failures.
import { Button, ListBox, ListBoxItem } from 'react-aria-components'
import type { AssertionResult } from '../../../trace/index.ts'
import { Chip, type Tone } from '../../widgets/pill.tsx'
import { count } from '../text.ts'
import { INVARIANT_NAMES } from './findings.ts'
import styles from './checks.module.css'

export interface CheckListProps {
  readonly results: readonly AssertionResult[]
  readonly chosen: string | undefined
  readonly onChoose: (name: string | undefined) => void
}

interface Word {
  readonly tone: Tone
  readonly text: string
  readonly isOpen?: boolean
}

/** Returns a verdict's label. */
function wordOf({ verdict, failed, isMet, waiting }: AssertionResult): Word {
  if (failed > 0) return { tone: 'fail', text: `${count(failed)} failed` }
  if (!isMet) return { tone: 'neutral', text: 'not exercised' }
  if (verdict === 'pending')
    return { tone: 'pending', text: `${waiting.length || ''} pending`.trim(), isOpen: true }
  return { tone: 'ok', text: verdict === 'holds' ? 'passed' : 'passing' }
}

export function CheckList({ results, chosen, onChoose }: CheckListProps) {
  return (
    <section className={styles.checks} aria-label="Checks">
      <ListBox
        aria-label="Checks"
        selectionMode="single"
        selectedKeys={chosen === undefined ? [] : [chosen]}
        onSelectionChange={keys =>
          onChoose(keys === 'all' ? undefined : keys.values().next().value?.toString())
        }
        className={styles.list ?? ''}
      >
        {results.map(result => (
          <ListBoxItem
            key={result.name}
            id={result.name}
            textValue={result.name}
            className={styles.check ?? ''}
          >
            <CheckRow result={result} />
          </ListBoxItem>
        ))}
      </ListBox>
      {chosen === undefined ? null : (
        <Button className={styles.link ?? ''} onPress={() => onChoose(undefined)}>
          Show all failures
        </Button>
      )}
    </section>
  )
}

function CheckRow({ result }: { readonly result: AssertionResult }) {
  const { name, says, isMet } = result
  const { tone, text, isOpen = false } = wordOf(result)
  return (
    <>
      <span className={styles.checkLine}>
        <span className={styles.checkName}>{name}</span>
        <Chip tone={tone} pending={isOpen}>
          {text}
        </Chip>
      </span>
      {says === undefined ? null : <span className={styles.says}>{says}</span>}
      {isMet || INVARIANT_NAMES.has(name) ? null : (
        <span className={styles.says}>No actor in this trace matches. Is a name misspelled?</span>
      )}
    </>
  )
}
