// A JSON field: highlighted once the editor code has loaded, plain before that, and whenever loading fails.
import { lazy, Suspense, useLayoutEffect, useRef, type RefObject } from 'react'
import control from '../../widgets/control.module.css'
import { cx } from '../../widgets/cx.ts'
import field from '../../widgets/field.module.css'
import type { Selected } from './code-field.tsx'

export interface JsonTextProps {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
  readonly isInvalid?: boolean
  /** Whether to focus the field on mount. */
  readonly takesFocus?: boolean
  /** For the wrapper of the highlighted field. */
  readonly className?: string | undefined
}

interface InnerProps extends Omit<JsonTextProps, 'takesFocus'> {
  /** The selection while the field has focus; undefined otherwise. */
  readonly selected: RefObject<Selected | undefined>
}

function Plain({ label, text, onChange, isInvalid = false, selected }: InnerProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    if (selected.current) {
      element.focus()
      element.setSelectionRange(selected.current.anchor, selected.current.head)
    }
    return () => {
      const { selectionStart: anchor, selectionEnd: head } = element
      selected.current = document.activeElement === element ? { anchor, head } : undefined
    }
  }, [selected])
  return (
    <textarea
      ref={area}
      className={cx(control.box, field.input, field.area, field.mono)}
      aria-label={label}
      aria-invalid={isInvalid}
      rows={8}
      spellCheck={false}
      value={text}
      onChange={event => onChange(event.target.value)}
    />
  )
}

const Colored = lazy(async () => {
  try {
    const { CodeField } = await import('./code-field.tsx')
    return {
      default: ({ className, label, text, onChange, selected }: InnerProps) => (
        <span className={className}>
          <CodeField label={label} text={text} onChange={onChange} selected={selected} />
        </span>
      ),
    }
  } catch {
    return { default: Plain }
  }
})

/** Focus and selection survive the switch to the highlighted field. */
export function JsonText({ takesFocus = false, ...props }: JsonTextProps) {
  const selected = useRef(takesFocus ? { anchor: 0, head: 0 } : undefined)
  return (
    <Suspense fallback={<Plain {...props} selected={selected} />}>
      <Colored {...props} selected={selected} />
    </Suspense>
  )
}
