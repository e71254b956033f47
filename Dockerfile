# docker build --tag polhode . ; docker run --rm --volume "$PWD:/data" polhode polhode run study.toml
# Written on 2026-11-27; its steps were read, and not run: `image` in .github/workflows/ci.yml builds it.
# A GPU: --gpus all --env NVIDIA_DRIVER_CAPABILITIES=graphics,compute, with the container toolkit of
# its vendor.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
COPY . .
# rust-toolchain.toml asks for another toolchain than that of the image, which would be loaded.
RUN RUSTUP_TOOLCHAIN=$RUST_VERSION cargo build --release --locked --package polhode-cli

FROM debian:12-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libvulkan1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/target/release/polhode /usr/local/bin/polhode
WORKDIR /data
CMD ["polhode", "--help"]
