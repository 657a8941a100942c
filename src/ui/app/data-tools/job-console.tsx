// The recording of an import or an export in a console of its own, below its progress.
import { Workflow } from 'lucide-react'
import { useState } from 'react'
import type { ChartroomConsoleProps } from '../../console.ts'
import { Button } from '../../widgets/button.tsx'
import { lazyPart } from '../lazy-part.tsx'
import styles from './tools.module.css'

const JobsConsole = lazyPart<ChartroomConsoleProps>(
  'the console',
  async () => (await import('../../console.ts')).ChartroomConsole,
)

/** Shown when it is asked for: its statechart, each batch or page with its cause, and time travel. */
export function JobConsole({ recording, control }: Pick<ChartroomConsoleProps, 'recording' | 'control'>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="s"
        variant="quiet"
        icon={<Workflow size={14} aria-hidden />}
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide its states' : 'Show its states'}
      </Button>
      {isOpen ? (
        <div className={styles.jobConsole}>
          <JobsConsole recording={recording} {...(control && { control })} onClose={() => setOpen(false)} />
        </div>
      ) : null}
    </>
  )
}
