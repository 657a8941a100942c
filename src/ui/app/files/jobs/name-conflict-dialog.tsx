// Asks what to do with existing files, one by one or all at once.
import type { ConflictAnswer, FileJobState } from '../../../../services/workbench/jobs/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { Notice } from '../../shell/page.tsx'
import { nameOf } from '../../../../services/workbench/files/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import upload from '../uploads/uploads.module.css'

const ANSWERS: readonly (readonly [ConflictAnswer, string])[] = [
  ['replace', 'Replace'],
  ['keepBoth', 'Keep both'],
  ['skip', 'Skip'],
]

export interface NameConflictDialogProps {
  readonly job: FileJobState
  readonly onAnswer: (answer: ConflictAnswer, all: boolean) => void
}

interface AnswersProps {
  readonly label: string
  readonly suffix?: string
  readonly onAnswer: (answer: ConflictAnswer) => void
}

function Answers({ label, suffix = '', onAnswer }: AnswersProps) {
  return (
    <span className={upload.answers} role="group" aria-label={label}>
      {ANSWERS.map(([answer, title]) => (
        <Button key={answer} size="s" onPress={() => onAnswer(answer)}>
          {title}
          {suffix}
        </Button>
      ))}
    </span>
  )
}

/** Asked last, when all other files are done. */
export function NameConflictDialog({ job, onAnswer }: NameConflictDialogProps) {
  const [first] = job.conflicts
  if (first === undefined) return null
  const name = nameOf(first.target)
  return (
    <Notice>
      <span>
        The file <code title={first.target}>{name}</code> already exists. Replacing deletes the existing file.
      </span>
      <Answers label={`${name} already exists`} onAnswer={answer => onAnswer(answer, false)} />
      {job.conflicts.length < 2 ? null : (
        <>
          <span>{plural(job.conflicts.length, 'file')} already exist in total.</span>
          <Answers label="All existing files" suffix=" all" onAnswer={answer => onAnswer(answer, true)} />
        </>
      )}
    </Notice>
  )
}
