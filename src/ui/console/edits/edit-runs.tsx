// Both runs at their first difference: the recording, and the run with the new version of the module.
import { useState } from 'react'
import { Console } from '../console.tsx'
import type { ConsoleRecording } from '../console-recording.ts'
import { memoryLocation } from '../model/location.ts'
import type { FirstDifference } from './edits.ts'
import styles from './edits.module.css'

export function EditRuns({ first }: { readonly first: FirstDifference }) {
  return (
    <div className={styles.runs}>
      <pre className={styles.lines} aria-label="First difference">
        {first.lines.join('\n')}
      </pre>
      <Run title="Recorded" recording={first.recorded} first={first} />
      <Run title="With the new version" recording={first.driven} first={first} />
    </div>
  )
}

interface RunProps {
  readonly title: string
  readonly recording: ConsoleRecording
  readonly first: FirstDifference
}

/** The chart alone, at the step. */
function Run({ title, recording, first: { step, actor } }: RunProps) {
  const [location] = useState(() => {
    const made = memoryLocation()
    made.write(
      {
        at: String(step),
        ...(actor !== undefined && { actor }),
        panes: 'none',
        view: 'chart',
      },
      'replace',
    )
    return made
  })
  return (
    <section className={styles.run} aria-label={title}>
      <h3>{title}</h3>
      <div className={styles.console}>
        <Console recording={recording} location={location} ownsPalette={false} />
      </div>
    </section>
  )
}
