import type { AnchorHTMLAttributes } from 'react'

type LinkButtonProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  [data: `data-${string}`]: string | number | undefined
}

/** A link that scripts handle in place, with the same result without scripts. The space bar presses it. */
export function LinkButton({ href, children, ...attributes }: LinkButtonProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the public interface has links here, which work without scripts.
    <a href={href} role="button" {...attributes}>
      {children}
    </a>
  )
}
