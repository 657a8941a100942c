// What was typed, the call that is under way, and what came of it.
import { useState, type FormEvent } from 'react'
import { useClient } from '../../react.ts'
import { explainAuthFailure } from './explain.ts'

export type Mode = 'signIn' | 'signUp'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface FormErrors {
  readonly email?: string
  readonly password?: string
  /** Belongs to the form as a whole. */
  readonly form?: string
}

const MIN_PASSWORD = 6

/** What is wrong before anything is sent; pure. */
export const checkCredentials = ({ email, password }: Credentials, mode: Mode): FormErrors => ({
  ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: 'Enter an email address.' }),
  ...(password === '' ? { password: 'Enter the password.' } : {}),
  ...(mode === 'signUp' && password !== '' && password.length < MIN_PASSWORD
    ? { password: `A password has at least ${MIN_PASSWORD} characters.` }
    : {}),
})

/** State of the sign-in and sign-up form; a failure keeps what was typed. */
export const useCredentials = (mode: Mode) => {
  const { auth } = useClient()
  const [typed, setTyped] = useState<Credentials>({ email: '', password: '' })
  const [errors, setErrors] = useState<FormErrors>({})
  const [isPending, setPending] = useState(false)
  const [confirm, setConfirm] = useState<string>()
  const send = async (credentials: Credentials) => {
    const wrong = checkCredentials(credentials, mode)
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    setPending(true)
    const cleaned = { ...credentials, email: credentials.email.trim() }
    const result = mode === 'signIn' ? await auth.signInWithPassword(cleaned) : await auth.signUp(cleaned)
    setPending(false)
    if (!result.ok) {
      const text = explainAuthFailure(result.failure)
      setErrors(result.failure.code === 'weak_password' ? { password: text } : { form: text })
    } else if ('confirmationRequired' in result.value && result.value.confirmationRequired)
      setConfirm(cleaned.email)
  }
  return {
    typed,
    errors,
    isPending,
    /** The address to which a link was mailed, when it must be followed first. */
    confirm,
    change: (part: Partial<Credentials>) => {
      setTyped(before => ({ ...before, ...part }))
      setErrors({})
    },
    /** Keeps what was typed for the other form, but nothing that was said about it. */
    reset: () => {
      setErrors({})
      setConfirm(undefined)
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (!isPending) void send(typed)
    },
    submitAs: (credentials: Credentials) => {
      if (isPending) return
      setTyped(credentials)
      void send(credentials)
    },
  }
}
