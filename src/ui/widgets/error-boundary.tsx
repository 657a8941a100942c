// Error boundary that keeps the rest of the page working when a part fails.
import { Component, type ComponentType, type ReactNode } from 'react'

/** Props of the fallback component. */
export interface FailureProps {
  readonly error: Error
  /** Renders the children again. */
  readonly again: () => void
}

export interface ErrorBoundaryProps {
  readonly fallback: ComponentType<FailureProps>
  readonly children: ReactNode
}

interface State {
  readonly error: Error | undefined
}

/** Renders `fallback` instead of children that threw during render. */
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
