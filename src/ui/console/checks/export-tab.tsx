// The Export tab: saves a run as a test, as steps, or as a file for another tool.
import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { ExportForm } from './export-form.tsx'
import styles from './checks.module.css'
import { TestForm } from './test-form.tsx'
import { ListOrdered } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { useConsole } from '../use-console.ts'
import { CodeResult } from './code-result.tsx'
import { JobFailure, JobLine } from './job-line.tsx'
import { StepList } from './step-list.tsx'
import { stepsAsText } from './described-steps.ts'
import { useJob } from './use-job.ts'
import { PartChoice, usePart } from './use-part.tsx'
import { CopyButton } from '../../widgets/copy-button.tsx'

const FORMS = [
  { id: 'test', title: 'Test', Form: TestForm },
  { id: 'steps', title: 'Steps', Form: StepsForm },
  { id: 'export', title: 'File', Form: ExportForm },
] as const

export function ExportTab() {
  const [form, setForm] = useState<string>('test')
  return (
    <Tabs
      orientation="vertical"
      selectedKey={form}
      onSelectionChange={key => setForm(String(key))}
      className={styles.keep ?? ''}
    >
      <TabList aria-label="Export as" className={styles.keepList ?? ''}>
        {FORMS.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.keepTab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {FORMS.map(({ id, Form }) => (
        <TabPanel key={id} id={id} className={styles.keepPanel ?? ''}>
          <Form />
        </TabPanel>
      ))}
    </Tabs>
  )
}

/** The steps form: shows a run as readable steps and as code, both to copy. */
function StepsForm() {
  const { pick } = useConsole()
  const { state, start, cancel } = useJob('steps')
  const part = usePart()
  const notify = () => start(file => ({ file, part: part.get() }))
  const answer = state.phase === 'done' ? state.answer : undefined
  return (
    <div className={styles.form}>
      <p className={styles.faint}>
        Inputs in order, with the time between them and the machines whose state changed.
      </p>
      <PartChoice part={part} />
      <span className={styles.tools}>
        <Button size="s" variant="primary" onPress={notify} isDisabled={state.phase === 'going'}>
          Show steps
        </Button>
        {answer && answer.steps.length > 0 ? (
          <CopyButton text={stepsAsText(answer.steps, answer.more)} label="Copy steps" />
        ) : null}
      </span>
      {state.phase === 'going' ? (
        <JobLine doing="Writing" progress={state.progress} onCancel={cancel} />
      ) : null}
      {state.phase === 'failed' ? <JobFailure message={state.message} /> : null}
      {answer?.steps.length === 0 ? (
        <EmptyState icon={<ListOrdered size={20} aria-hidden />} title="No steps">
          The inputs of this part or recording are unknown: other apps report only what their machines did.
        </EmptyState>
      ) : null}
      {answer && answer.steps.length > 0 ? (
        <>
          <StepList steps={answer.steps} more={answer.more} onPick={pick} />
          {answer.code === '' ? null : <CodeResult text={answer.code} label="steps as code" />}
        </>
      ) : null}
    </div>
  )
}
