// A new row as JSON, for a table whose columns nobody told us.
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { TextArea } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import form from '../shell/form.module.css'
import { valueText } from './schema.ts'
import { wordsOfInsert, type RowFormOptions } from './use-row-form.ts'
import { useSaving } from './use-saving.ts'
import type { Values } from './writes/edits.ts'

const readObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The values as texts of cells; without columns nothing is known of their types. */
const textsOf = (values: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? null : valueText(value)]),
  )

/** The object's names are the columns. */
export function JsonRowDialog({ info, writes, onDone, onClose }: RowFormOptions) {
  const [text, setText] = useState('{\n  \n}')
  const [error, setError] = useState<string>()
  const { isPending, save } = useSaving({ onDone, onClose })
  const submit = async () => {
    const values = readObject(text)
    if (values === undefined) return setError('This must be a JSON object, such as {"name": "Fulmar"}.')
    const failure = await save(writes.insert(textsOf(values)), wordsOfInsert(info))
    if (failure !== undefined)
      setError(failure.field === undefined ? failure.message : `${failure.field}: ${failure.message}`)
  }
  return (
    <Dialog title={`New row in ${info.name}`} isOpen onClose={onClose}>
      <Form className={form.form} onSubmit={() => void submit()}>
        <TextArea
          label="Row"
          mono
          rows={8}
          value={text}
          onChange={setText}
          error={error}
          hint="The backend does not tell the columns and there is no row to learn them from."
        />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            Add row
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
