import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.tsx';
import { Button } from '../widgets/controls.tsx';
import { EmptyState } from '../widgets/parts.tsx';

interface Failed {
  readonly message: string;
}

/** Around one view: an error in it, or a part of it that could not be fetched, ends this view and not the window. */
export class Boundary extends Component<{ readonly children: ReactNode }, { failed: Failed | undefined }> {
  override state: { failed: Failed | undefined } = { failed: undefined };

  static getDerivedStateFromError(error: unknown): { failed: Failed } {
    return { failed: { message: error instanceof Error ? error.message : String(error) } };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (failed === undefined) return this.props.children;
    return <ViewEnded failed={failed} onAgain={() => this.setState({ failed: undefined })} />;
  }
}

/** Exported for tests. */
export function ViewEnded(props: { readonly failed: Failed; readonly onAgain: () => void }): ReactNode {
  const { t } = useI18n();
  return (
    <div className="viewFrame" data-region="view" role="alert">
      <EmptyState
        icon={<CircleAlert size={20} strokeWidth={1.75} />}
        title={t('view.ended.title')}
        actions={
          <>
            <Button kind="primary" onClick={props.onAgain}>
              {t('view.ended.again')}
            </Button>
            <Button onClick={() => location.reload()}>{t('view.ended.reload')}</Button>
          </>
        }
      >
        {t('view.ended.text', { why: props.failed.message })}
      </EmptyState>
    </div>
  );
}
