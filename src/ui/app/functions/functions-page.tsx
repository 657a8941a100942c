// The Functions section: call one by name and see all of its answer.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Button } from '../../widgets/button.tsx'
import { TextArea, TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { useData } from '../database.ts'
import { useClock, useTitle } from '../hooks.ts'
import { PageBody, PageHead } from '../shell/page.tsx'
import { useWorkspace } from '../workspace.tsx'
import { bodyProblem, callFunction, METHODS, type FunctionReply, type Method } from './call.ts'
import form from '../shell/form.module.css'
import styles from './functions.module.css'
import { Reply } from './reply.tsx'

const isMethod = (text: string): text is Method => METHODS.some(method => method === text)

/** On the embedded backend the demo function is offered. */
export function FunctionsPage() {
  useTitle('Functions')
  const { active } = useWorkspace()
  const now = useClock()
  const data = useData()
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const [name, setName] = useState(search.name ?? (active?.embedded === true ? 'tide' : ''))
  const [method, setMethod] = useState<Method>('POST')
  const [body, setBody] = useState('{}')
  const [errors, setErrors] = useState<{ name?: string; body?: string }>({})
  const [reply, setReply] = useState<FunctionReply>()
  const [isPending, setPending] = useState(false)
  const call = async (event: FormEvent) => {
    event.preventDefault()
    // Enter in a field sends the form whatever its button says.
    if (isPending) return
    const wanted = { name: name.trim(), method, body }
    const problem = bodyProblem(wanted)
    if (wanted.name === '') return setErrors({ name: 'Enter the name of a function.' })
    if (problem !== undefined) return setErrors({ body: problem })
    setErrors({})
    setPending(true)
    void navigate({ to: '/functions', search: { name: wanted.name }, replace: true })
    setReply(await callFunction(data, wanted, now))
    setPending(false)
  }
  return (
    <>
      <PageHead title="Functions" note="Called as you: your access token goes along." />
      <PageBody>
        <div className={styles.columns}>
          <form className={form.form} onSubmit={event => void call(event)} aria-label="Request" noValidate>
            <div className={styles.line}>
              <Select
                label="Method"
                options={METHODS.map(each => ({ id: each, label: each }))}
                value={method}
                onChange={next => {
                  if (isMethod(next)) setMethod(next)
                }}
              />
              <TextField
                label="Function"
                mono
                value={name}
                onChange={setName}
                error={errors.name}
                placeholder="name"
              />
            </div>
            {method === 'GET' ? null : (
              <TextArea
                label="JSON body"
                mono
                rows={7}
                value={body}
                onChange={setBody}
                error={errors.body}
                spellCheck="false"
              />
            )}
            <Button
              type="submit"
              variant="primary"
              isPending={isPending}
              icon={<Play size={14} aria-hidden />}
            >
              Call
            </Button>
          </form>
          <Reply reply={reply} isPending={isPending} />
        </div>
      </PageBody>
    </>
  )
}
