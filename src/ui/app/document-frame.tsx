// A PDF in the browser's own viewer.

export interface DocumentFrameProps {
  /** Of bytes that are told to be `application/pdf`: whatever they are, they are read as that and never run as a page. */
  readonly url: string
  readonly title: string
  readonly className: string | undefined
}

/**
 * Has no `sandbox`: Chromium shows no document in a frame that has one, whatever it allows. The viewer keeps what is in
 * the document apart from this page, and the policy lets a frame show nothing but bytes of this page, so that no link
 * in the document leads to a stranger's page inside of this one.
 */
export function DocumentFrame({ url, title, className }: DocumentFrameProps) {
  return <iframe src={url} title={title} className={className} />
}
