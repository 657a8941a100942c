// Inline console for the recording of a background job, such as a transfer or the diagnostics of a backend.
import { Workflow } from 'lucide-react'
import { useState } from 'react'
import type { ChartroomConsoleProps } from '../console/index.ts'
import { Button } from '../widgets/button.tsx'
import { lazyPart } from './lazy-part.tsx'
import styles from './job-console.module.css'

const JobsConsole = lazyPart<ChartroomConsoleProps>(
  'the console',
  async () => (await import('../console/index.ts')).ChartroomConsole,
)

/** Shown on demand: state chart, steps with their causes, and time travel. */
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
        {isOpen ? 'Hide states' : 'Show states'}
      </Button>
      {isOpen ? (
        <div className={styles.console}>
          <JobsConsole recording={recording} {...(control && { control })} onClose={() => setOpen(false)} />
        </div>
      ) : null}
    </>
  )
}
