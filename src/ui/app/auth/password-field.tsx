// Password field with a toggle that shows the password.
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import { TextField, type TextFieldProps } from '../../widgets/field.tsx'

/** A text field whose value is hidden until its button is pressed. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      suffix={
        <IconButton label={isShown ? 'Hide password' : 'Show password'} onPress={() => setShown(!isShown)}>
          {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
        </IconButton>
      }
    />
  )
}
