// The key sheet: lists the shortcuts of all registered commands.
import { type ReactNode, useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { cx } from '../cx.ts'
import { Dialog } from '../dialog.tsx'
import { Kbd } from '../kbd.tsx'
import { isApplePlatform, keyLabel } from './key-name.ts'
import styles from './key-sheet.module.css'
import { useNotedKeys, useOffered } from './use-commands.ts'

export interface KeySheetProps {
  readonly title: string
  /** Sections in display order. */
  readonly sections: readonly string[]
  /** When the shortcuts work. */
  readonly note: string
  /** Shown above the shortcuts. */
  readonly intro?: ReactNode
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Lists every key with an effect, and nothing else. */
export function KeySheet({ title, isOpen, onClose, ...sheet }: KeySheetProps) {
  return (
    <Dialog title={title} wide isOpen={isOpen} onClose={onClose}>
      <Sheet {...sheet} />
    </Dialog>
  )
}

function Sheet({ sections, note, intro }: Omit<KeySheetProps, 'title' | 'isOpen' | 'onClose'>) {
  const [wanted, setWanted] = useState('')
  const lines = useLines(wanted)
  return (
    <>
      {intro}
      <SearchField
        aria-label="Find a shortcut"
        className={cx(styles.find)}
        value={wanted}
        onChange={setWanted}
      >
        <Input placeholder="Find a shortcut" className={cx(styles.input)} />
      </SearchField>
      <div className={styles.columns}>
        {sections.map(section => {
          const own = lines.filter(line => line.section === section)
          if (own.length === 0) return null
          return (
            <section key={section} aria-label={section} className={styles.section}>
              <h3 className={styles.heading}>{section}</h3>
              <dl className={styles.sheet}>
                {own.map(({ id, keys, text }) => (
                  <div key={id} className={styles.line}>
                    <dt>
                      {keys.map(key => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dt>
                    <dd>{text}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </div>
      {lines.length === 0 ? <p>No shortcuts for “{wanted}”.</p> : null}
      <p className={styles.note}>{note}</p>
    </>
  )
}

/** Commands with keys and key notes of views that contain all search terms. */
function useLines(wanted: string) {
  const commands = useOffered()
  const notes = useNotedKeys()
  const isApple = isApplePlatform()
  const all = [
    ...commands.flatMap(({ id, section, keys, title: text, words = '' }) =>
      keys ? [{ id, section, keys: keys.slice(0, 1), text, words }] : [],
    ),
    ...notes.map(note => ({ ...note, words: '' })),
  ].map(line => ({ ...line, keys: line.keys.map(key => keyLabel(key, isApple)) }))
  const parts = wanted.toLowerCase().split(/\s+/)
  return all.filter(({ section, keys, text, words }) => {
    const searchText = [section, ...keys, text, words].join(' ').toLowerCase()
    return parts.every(part => searchText.includes(part))
  })
}
