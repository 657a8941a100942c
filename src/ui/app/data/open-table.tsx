// Opens a table by name when the backend does not list its tables.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './data.module.css'
import { inSchema, useTables } from './tables.tsx'

/** A name field and a button. */
export function OpenTable() {
  const { remember, schema } = useTables()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const open = () => {
    const table = name.trim()
    if (table === '') return
    remember(table)
    setName('')
    void navigate({ to: '/data/$table', params: { table }, search: inSchema(schema) })
  }
  return (
    <Form className={styles.open} onSubmit={open} aria-label="Open a table">
      <TextField label="Table name" hideLabel placeholder="table name" mono value={name} onChange={setName} />
      <Button type="submit">Open</Button>
    </Form>
  )
}
