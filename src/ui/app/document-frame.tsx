// Shows a PDF in the browser's built-in viewer.

export interface DocumentFrameProps {
  /** Shows bytes of type `application/pdf`: they are always read as a PDF and never run as a page. */
  readonly url: string
  readonly title: string
  readonly className: string | undefined
}

/**
 * Has no `sandbox` attribute: Chromium shows no document in a sandboxed frame, whatever the sandbox allows.
 * The viewer isolates the document from this page, and the content security policy only allows frames with
 * bytes of this page, so a link in the document can't open a foreign page in the frame.
 */
export function DocumentFrame({ url, title, className }: DocumentFrameProps) {
  return <iframe src={url} title={title} className={className} />
}
