// A canvas that fills its element, is sharp on every screen, and is drawn at most once per frame.
import { useEffect, useRef, type RefObject } from 'react'
import { usePaneSize } from '../../widgets/drawing/use-pane-size.ts'

/** Draws in CSS pixels on a cleared canvas. */
export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void

/** Refs for the element and its canvas, and the size in pixels. */
export interface CanvasPane {
  readonly pane: RefObject<HTMLDivElement | null>
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly width: number
  readonly height: number
}

/** Redraws when `draw` or the size changes. Does nothing without a canvas. */
export function useCanvas(draw: Draw): CanvasPane {
  const [pane, { width, height }] = usePaneSize()
  return { pane, canvas: useLayer(draw, width, height), width, height }
}

/** An additional canvas of the same size, for content that changes at a different rate. */
export function useLayer(draw: Draw, width: number, height: number): CanvasPane['canvas'] {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const frame = requestAnimationFrame(() => paint(canvas.current, draw, width, height))
    return () => cancelAnimationFrame(frame)
  }, [draw, width, height])
  return canvas
}

function paint(canvas: HTMLCanvasElement | null, draw: Draw, width: number, height: number): void {
  const context = canvas?.getContext('2d')
  if (!canvas || !context || width === 0 || height === 0) return
  const ratio = devicePixelRatio || 1
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide
    canvas.height = high
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  draw(context, width, height)
}
