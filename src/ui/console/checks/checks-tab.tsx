// The Checks tab: checks of the shown trace with their verdicts and failures.
import { Pencil, Scale, FolderOpen } from 'lucide-react'
import { useMemo, useState, useEffect, useRef } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { count, plural } from '../text.ts'
import { FailureList } from './failure-list.tsx'
import { failedOf, INVARIANT_NAMES } from './findings.ts'
import { JobFailure, JobLine } from './use-job.tsx'
import type { ChecksState } from './trace-checks.ts'
import { useChecks, useConsole } from '../use-console.ts'
import styles from './checks.module.css'
import { Smallest } from './smallest.tsx'
import { DropZone, Button as AriaButton, ListBox, ListBoxItem } from 'react-aria-components'
import { TextArea } from '../../widgets/text-area.tsx'
import { Form } from '../../widgets/form.tsx'
import { EXAMPLE, readOwn } from './watch-trace.ts'
import type { AssertionResult } from '../../../trace/index.ts'
import { Chip, type Tone } from '../../widgets/pill.tsx'

export function ChecksTab() {
  const checks = useChecks(all => all)
  const { standing, ownText, own } = checks
  const [chosen, choose] = useState<string>()
  const [isEditing, edit] = useState(false)
  const { results } = standing
  const known = results.some(({ name }) => name === chosen) ? chosen : undefined
  // Failed checks first: on a narrow console they would be scrolled out of view.
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
        <Verdict checks={checks} />
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
      <Progress checks={checks} />
      {isEditing ? <AssertionsEditor onClose={() => edit(false)} /> : null}
      {results.length === 0 ? (
        <Nothing checks={checks} />
      ) : (
        <div className={styles.split}>
          <CheckList results={inOrder} chosen={known} onChoose={choose} />
          <FailureList results={shown} isAll={known === undefined} />
        </div>
      )}
    </div>
  )
}

interface PartProps {
  readonly checks: ChecksState
}

function Verdict({ checks: { standing, checking } }: PartProps) {
  const { results, steps, of } = standing
  const failed = failedOf(results)
  const broken = results.filter(one => one.failed > 0).length
  const looked = `${count(steps)} of ${plural(of, 'event')} checked`
  if (results.length === 0)
    return <span className={styles.faint}>{checking.phase === 'going' ? '' : 'Not checked'}</span>
  return (
    <span className={styles.verdict}>
      <strong role="status" data-bad={failed > 0 || undefined}>
        {failed === 0
          ? 'All checks pass'
          : `${count(broken)} of ${results.length} failed, ${plural(failed, 'time')}`}
      </strong>
      <span className={styles.faint}>{looked}</span>
    </span>
  )
}

function Progress({ checks: { checking } }: PartProps) {
  const { check, cancel } = useConsole().checks
  if (checking.phase === 'going')
    return <JobLine doing="Checking" progress={checking.progress} onCancel={cancel} />
  if (checking.phase === 'failed') return <JobFailure message={checking.message} />
  if (checking.phase !== 'asking') return null
  return (
    <p className={styles.ask}>
      <span>{checking.why}</span>
      <Button size="s" variant="primary" onPress={check}>
        Run checks
      </Button>
    </p>
  )
}

function Nothing({ checks: { checking } }: PartProps) {
  const { hasInvariants } = useConsole().checks
  if (checking.phase === 'going') return null
  if (hasInvariants) return null
  return (
    <EmptyState icon={<Scale size={20} aria-hidden />} title="No checks yet">
      Chartroom’s invariants apply to its own client. For other systems, add assertions; each event that fails
      one is marked red in every view.
    </EmptyState>
  )
}

/** The editor for the user's assertions; can open files; stored in the browser. */
function AssertionsEditor({ onClose }: { readonly onClose: () => void }) {
  const { keepOwn } = useConsole().checks
  const ownText = useChecks(all => all.ownText)
  const [text, setText] = useState(ownText)
  const input = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const read = readOwn(text)
  const isBad = read.problems.length > 0
  const save = () => {
    keepOwn(text)
    onClose()
  }
  return (
    <Form
      ref={form}
      className={styles.editor}
      aria-label="Assertions"
      onSubmit={() => {
        if (!isBad) save()
      }}
    >
      <DropZone
        className={styles.drop ?? ''}
        onDrop={({ items }) => {
          const file = items.find(item => item.kind === 'file')
          void file?.getText().then(setText)
        }}
      >
        <TextArea
          label="Assertions as JSON"
          mono
          rows={10}
          value={text}
          onChange={setText}
          spellCheck="false"
          hint="You can also drop a file here. Assertions stay in this browser. See the guide to assertions for the format."
          error={isBad ? read.problems.join('\n') : undefined}
        />
      </DropZone>
      <span className={styles.tools}>
        <Button size="s" variant="primary" type="submit" isDisabled={isBad}>
          {text.trim() === ''
            ? 'Remove assertions'
            : isBad
              ? 'Run checks'
              : `Run ${plural(read.assertions.length, 'check')}`}
        </Button>
        <Button size="s" variant="quiet" onPress={onClose}>
          Cancel
        </Button>
        <span className={styles.gap} />
        {text.trim() === '' ? (
          <Button size="s" variant="quiet" onPress={() => setText(EXAMPLE)}>
            Insert example
          </Button>
        ) : null}
        <Button
          size="s"
          variant="quiet"
          icon={<FolderOpen size={13} aria-hidden />}
          onPress={() => input.current?.click()}
        >
          Open file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label="Assertions file"
          onChange={event => {
            const file = event.target.files?.[0]
            event.target.value = ''
            void file?.text().then(setText)
          }}
        />
      </span>
    </Form>
  )
}

interface CheckListProps {
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

function CheckList({ results, chosen, onChoose }: CheckListProps) {
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
        <AriaButton className={styles.link ?? ''} onPress={() => onChoose(undefined)}>
          Show all failures
        </AriaButton>
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
