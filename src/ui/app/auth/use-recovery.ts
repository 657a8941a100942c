// The new password that a recovery asks for: what was typed, the call under way, and what came of it.
import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import { describeFailure } from '../../../index.ts'
import { useClient } from '../../react.ts'
import { explainAuthFailure } from './explain.ts'
import { checkCredentials } from './use-credentials.ts'

export const useRecovery = (email: string) => {
  const { supabase } = useClient()
  const [password, setPassword] = useState('')
  const [errors, setErrors] = useState<{ readonly password?: string; readonly form?: string }>({})
  const [isPending, setPending] = useState(false)
  const send = async () => {
    const wrong = checkCredentials({ email: 'a@b', password }, 'signUp').password
    setErrors(wrong === undefined ? {} : { password: wrong })
    if (wrong !== undefined) return
    setPending(true)
    const { error } = await supabase.auth.updateUser({ password })
    setPending(false)
    if (!error) {
      toast.success('Your new password is set', { description: email })
      return
    }
    const failure = await describeFailure(error)
    const text = explainAuthFailure(failure)
    setErrors(failure.kind === 'validation' ? { password: text } : { form: text })
  }
  return {
    password,
    errors,
    isPending,
    change: (next: string) => {
      setPassword(next)
      setErrors({})
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!isPending) void send()
    },
  }
}
