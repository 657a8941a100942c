// The form of a new or existing row, generated from the table's columns.
import { Button } from '../../widgets/button.tsx'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { Form } from '../../widgets/form.tsx'
import { own } from '../../../services/workbench/storage/index.ts'
import { Notice } from '../shell/page.tsx'
import { ColumnField } from './column-field.tsx'
import layout from '../shell/form.module.css'
import styles from './data.module.css'
import { JsonRowDialog } from './json-row-dialog.tsx'
import { rowKey } from '../../../services/workbench/table/index.ts'
import { useRowForm, type RowFormOptions } from './use-row-form.ts'

function FormDialog(props: RowFormOptions) {
  const { info, row } = props
  const form = useRowForm(props)
  const isNew = row === undefined
  return (
    <Dialog
      title={isNew ? `New row in ${info.name}` : `Edit ${info.name} ${rowKey(info, row) ?? ''}`}
      isOpen
      onClose={form.close}
      wide
    >
      <Form className={layout.form} onSubmit={form.submit}>
        <div className={styles.fields}>
          {info.columns.map(column => (
            <ColumnField
              key={column.name}
              column={column}
              isNew={isNew}
              cell={own(form.draft, column.name)}
              error={own(form.errors, column.name)}
              onChange={(cell, also) => form.change(column.name, cell, also)}
            />
          ))}
        </div>
        {form.errors[''] === undefined ? null : <Notice tone="fail">{form.errors['']}</Notice>}
        <DialogActions>
          {form.isTouched ? (
            <Button variant="quiet" onPress={form.clear}>
              Clear
            </Button>
          ) : null}
          <Button onPress={form.close}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {isNew ? 'Add row' : 'Save'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Without known columns, a new row is written as JSON. */
export function RowDialog(props: RowFormOptions) {
  return props.info.columns.length === 0 ? <JsonRowDialog {...props} /> : <FormDialog {...props} />
}
