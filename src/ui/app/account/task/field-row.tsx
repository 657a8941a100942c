// Single account field with its button and the reason why the last attempt was rejected.
import { Button } from '../../../widgets/button.tsx'
import { TextField, type TextFieldProps } from '../../../widgets/field.tsx'
import { Form } from '../../../widgets/form.tsx'
import styles from '../account.module.css'
import { TaskRefusal } from './task-refusal.tsx'
import type { TaskState } from '../../../../services/workbench/accounts/index.ts'

export interface FieldRowProps<Name extends string> {
  /** Accessible name of the form. */
  readonly name: string
  readonly field: TextFieldProps
  readonly action: string
  readonly isPrimary: boolean
  readonly isPending: boolean
  readonly isDisabled: boolean
  readonly state: TaskState<Name>
  readonly onSubmit: () => void
}

export function FieldRow<Name extends string>(props: FieldRowProps<Name>) {
  const { name, field, action, isPrimary, isPending, isDisabled, state, onSubmit } = props
  return (
    <Form className={styles.row} aria-label={name} onSubmit={onSubmit}>
      <div className={styles.inline}>
        <TextField {...field} />
        <Button
          type="submit"
          variant={isPrimary ? 'primary' : 'plain'}
          isPending={isPending}
          isDisabled={isDisabled}
        >
          {action}
        </Button>
      </div>
      <TaskRefusal state={state} />
    </Form>
  )
}
