import type { ReactNode } from 'react'

/** What stands where a list of the account has nothing in it: that it is so, what will be here, and the way on. */
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
