// Keeps a failure of one part of the page from taking the rest with it.
import { Component, type ComponentType, type ReactNode } from 'react'

/** What is shown in place of what failed, is told. */
export interface FailureProps {
  readonly error: Error
  /** Renders the children once more. */
  readonly again: () => void
}

export interface ErrorBoundaryProps {
  readonly fallback: ComponentType<FailureProps>
  readonly children: ReactNode
}

interface State {
  readonly error: Error | undefined
}

/** Shows `fallback` in place of children that threw while rendering. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: undefined }

  static getDerivedStateFromError(thrown: unknown): State {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override render(): ReactNode {
    const { fallback: Fallback, children } = this.props
    const again = () => this.setState({ error: undefined })
    return this.state.error === undefined ? children : <Fallback error={this.state.error} again={again} />
  }
}
