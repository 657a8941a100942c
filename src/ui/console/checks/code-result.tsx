// Generated text with copy and save buttons.
import type { ReactNode } from 'react'
import { Button } from '../../widgets/button.tsx'
import { saveAs } from '../../widgets/save-as.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import styles from './checks.module.css'

export interface CodeResultProps {
  readonly text: string
  readonly label: string
  /** File name; undefined if it can only be copied. */
  readonly name?: string
  readonly children?: ReactNode
}

export function CodeResult({ text, label, name, children }: CodeResultProps) {
  return (
    <div className={styles.code}>
      <span className={styles.tools}>
        {name === undefined ? null : (
          <Button size="s" onPress={() => saveAs(new Blob([text], { type: 'text/plain' }), name)}>
            {`Save ${name}`}
          </Button>
        )}
        {children}
        <span className={styles.gap} />
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
      <textarea
        className={styles.source}
        readOnly
        rows={Math.min(24, text.split('\n').length)}
        aria-label={label}
        value={text}
        spellCheck={false}
      />
    </div>
  )
}
