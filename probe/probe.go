// Package probe makes an operator's reconciles exact for Loopscope: wrap the Reconciler and the client, and every start,
// read, write and end is one log line with the time of the moment and, in controller-runtime, the reconcileID:
//
//	mgr.GetClient()     →  probe.Client(mgr.GetClient())
//	mgr.GetAPIReader()  →  probe.Reader(mgr.GetClient(), mgr.GetAPIReader())
//	b.Complete(r)       →  b.Complete(probe.Reconciler(r))
//
// Never needed: Loopscope works without it. Copy this file: it depends on nothing but controller-runtime and what that
// depends on, changes no result and keeps nothing. What it logs is specified in Loopscope's docs/spec/probe.md.
package probe

import (
	"context"
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// say logs that something ended now; it began at since.
func say(ctx context.Context, what string, since time.Time, err error, more ...any) {
	now := time.Now()
	took := float64(now.Sub(since).Nanoseconds()) / 1e6
	fields := append([]any{"probe", what, "at", now.UTC().Format(time.RFC3339Nano), "tookMs", took}, more...)
	if err != nil {
		fields = append(fields, "failed", err.Error())
	}
	logr.FromContextOrDiscard(ctx).Info("loopscope.probe", fields...)
}

// Reconciler tells of every start and end of r; a panic is told and goes on.
func Reconciler(r reconcile.Reconciler) reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (result reconcile.Result, err error) {
		since, how := time.Now(), "panic"
		say(ctx, "start", since, nil, "key", request.String())
		defer func() {
			say(ctx, "end", since, err, "key", request.String(), "result", how, "after", result.RequeueAfter.String())
		}()
		result, err = r.Reconcile(ctx, request)
		how = outcome(result, err)
		return result, err
	})
}

func outcome(result reconcile.Result, err error) string {
	switch {
	case err != nil && errors.Is(err, reconcile.TerminalError(nil)):
		return "terminal"
	case err != nil:
		return "error"
	case result.RequeueAfter > 0:
		return "requeue-after"
	case result.Requeue:
		return "requeue"
	}
	return "success"
}

// Client tells of every read and write through c. Reads count as read from the cache.
func Client(c client.Client) client.Client { return probed{c, c, "cache"} }

// Reader tells of every read of r, a reader that asks the API server; c knows the kinds of Go types.
func Reader(c client.Client, r client.Reader) client.Reader { return probed{c, r, "live"} }

type probed struct {
	client.Client
	reader client.Reader
	from   string
}

func (p probed) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	since := time.Now()
	err := p.reader.Get(ctx, key, o, opts...)
	say(ctx, "read", since, err, "verb", "get", "from", p.from, "kind", p.kind(o), "of", key.String(), "version", o.GetResourceVersion())
	return err
}
func (p probed) List(ctx context.Context, l client.ObjectList, opts ...client.ListOption) error {
	since, in := time.Now(), (&client.ListOptions{}).ApplyOptions(opts).Namespace+"/"
	err := p.reader.List(ctx, l, opts...)
	say(ctx, "read", since, err, "verb", "list", "from", p.from, "kind", p.kind(l), "of", in, "items", meta.LenList(l))
	return err
}

// write does one request about o, an object or an apply configuration, and tells of it with the versions before and after.
func (p probed) write(ctx context.Context, verb, subresource string, o any, do func() error) error {
	since, of, before, after := time.Now(), "", "", ""
	object, isObject := o.(client.Object)
	if isObject {
		before = object.GetResourceVersion()
	}
	err := do()
	if isObject {
		of, after = object.GetNamespace()+"/"+object.GetName(), object.GetResourceVersion()
	}
	say(ctx, "write", since, err, "verb", verb, "subresource", subresource, "kind", p.kind(o), "of", of, "before", before, "version", after)
	return err
}
func (p probed) kind(o any) string {
	if object, ok := o.(runtime.Object); ok {
		if gvk, err := p.GroupVersionKindFor(object); err == nil {
			return gvk.Kind
		}
	}
	return ""
}
func (p probed) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	return p.write(ctx, "create", "", o, func() error { return p.Client.Create(ctx, o, opts...) })
}
func (p probed) Update(ctx context.Context, o client.Object, opts ...client.UpdateOption) error {
	return p.write(ctx, "update", "", o, func() error { return p.Client.Update(ctx, o, opts...) })
}
func (p probed) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.PatchOption) error {
	return p.write(ctx, "patch", "", o, func() error { return p.Client.Patch(ctx, o, patch, opts...) })
}
func (p probed) Apply(ctx context.Context, o runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
	return p.write(ctx, "apply", "", o, func() error { return p.Client.Apply(ctx, o, opts...) })
}
func (p probed) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	return p.write(ctx, "delete", "", o, func() error { return p.Client.Delete(ctx, o, opts...) })
}
func (p probed) DeleteAllOf(ctx context.Context, o client.Object, opts ...client.DeleteAllOfOption) error {
	return p.write(ctx, "deletecollection", "", o, func() error { return p.Client.DeleteAllOf(ctx, o, opts...) })
}
func (p probed) Status() client.SubResourceWriter { return p.SubResource("status") }
func (p probed) SubResource(name string) client.SubResourceClient {
	return subresource{p.Client.SubResource(name), p, name}
}

type subresource struct {
	client.SubResourceClient
	p    probed
	name string
}

func (s subresource) Update(ctx context.Context, o client.Object, opts ...client.SubResourceUpdateOption) error {
	return s.p.write(ctx, "update", s.name, o, func() error { return s.SubResourceClient.Update(ctx, o, opts...) })
}
func (s subresource) Patch(ctx context.Context, o client.Object, patch client.Patch, opts ...client.SubResourcePatchOption) error {
	return s.p.write(ctx, "patch", s.name, o, func() error { return s.SubResourceClient.Patch(ctx, o, patch, opts...) })
}
func (s subresource) Apply(ctx context.Context, o runtime.ApplyConfiguration, opts ...client.SubResourceApplyOption) error {
	return s.p.write(ctx, "apply", s.name, o, func() error { return s.SubResourceClient.Apply(ctx, o, opts...) })
}
