import type { ReactNode } from 'react'

/** The content of an empty account list: a title, its purpose, and a link to continue. */
export function AccountEmpty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="account-empty">
      <div>
        <p className="account-empty__title">{title}</p>
        <p>{text}</p>
      </div>
      {children}
    </div>
  )
}
