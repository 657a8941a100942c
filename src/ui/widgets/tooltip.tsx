// Tooltip of a button: its name and its shortcut.
import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react'
import { mergeProps, useTooltipTrigger } from 'react-aria'
import { Button, type ButtonProps } from 'react-aria-components'
import { type TooltipTriggerState, useTooltipTriggerState } from 'react-stately'

/** Milliseconds of hovering until a tooltip opens, and until it closes after the pointer has left. */
const TIMES = { delay: 500, closeDelay: 80 }

export interface TooltipProps {
  readonly text: string
  readonly shortcut?: string | undefined
}

/** Props of the part that is drawn while a tooltip is open. */
export interface TooltipBubbleProps extends TooltipProps {
  readonly id: string | undefined
  readonly state: TooltipTriggerState
  readonly triggerRef: RefObject<HTMLElement | null>
}

/** The bubble loads when the first tooltip opens. If it cannot load, the next tooltip tries again. */
let loaded: ComponentType<TooltipBubbleProps> | undefined

export interface TooltipButtonProps extends ButtonProps {
  readonly tooltip: TooltipProps
}

/** A button that shows a tooltip on hover and on keyboard focus. */
export function TooltipButton({ tooltip, ...props }: TooltipButtonProps) {
  const ref = useRef<HTMLButtonElement>(null)
  const state = useTooltipTriggerState(TIMES)
  const { triggerProps, tooltipProps } = useTooltipTrigger(TIMES, state, ref)
  const [Bubble, setBubble] = useState(() => loaded)
  useEffect(() => {
    if (!state.isOpen || Bubble) return
    import('./tooltip-bubble.tsx').then(
      ({ TooltipBubble }) => {
        loaded = TooltipBubble
        setBubble(() => TooltipBubble)
      },
      () => undefined,
    )
  }, [state.isOpen, Bubble])
  const { onKeyDown, ...handlers } = triggerProps
  const own = {
    ...handlers,
    // A button keeps keys that it has a handler for to itself; this one leaves them to everyone.
    onKeyDown(event: Parameters<NonNullable<ButtonProps['onKeyDown']>>[0]) {
      onKeyDown?.(event as never)
      event.continuePropagation()
    },
  }
  return (
    <>
      <Button {...mergeProps(own, props)} ref={ref} />
      {Bubble ? <Bubble {...tooltip} id={tooltipProps.id} state={state} triggerRef={ref} /> : null}
    </>
  )
}
