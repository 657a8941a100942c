// The sheet of the console's keys, made from the commands that are offered now.
import { memo, useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { cx } from '../widgets/cx.ts'
import { Dialog } from '../widgets/dialog.tsx'
import { Kbd } from '../widgets/kbd.tsx'
import { SECTIONS } from './commands/command.ts'
import { isApplePlatform, keyLabel } from './commands/key-name.ts'
import { useNotedKeys, useOffered } from './commands/use-commands.ts'
import styles from './key-sheet.module.css'

export interface KeySheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Every key that does something, and nothing else. */
export const KeySheet = memo(function KeySheet({ isOpen, onClose }: KeySheetProps) {
  return (
    <Dialog title="Keys of the console" wide isOpen={isOpen} onClose={onClose}>
      <Sheet />
    </Dialog>
  )
})

function Sheet() {
  const [wanted, setWanted] = useState('')
  const lines = useLines(wanted)
  return (
    <>
      <SearchField aria-label="Find a key" className={cx(styles.find)} value={wanted} onChange={setWanted}>
        <Input placeholder="Find a key" className={cx(styles.input)} />
      </SearchField>
      <div className={styles.columns}>
        {SECTIONS.map(section => {
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
      {lines.length === 0 ? <p>No key is for “{wanted}”.</p> : null}
      <p className={styles.note}>They work while the focus is in the console and not in a text field.</p>
    </>
  )
}

/** Commands with keys and keys of views, those that hold all wanted words. */
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
    const said = [section, ...keys, text, words].join(' ').toLowerCase()
    return parts.every(part => said.includes(part))
  })
}
